// Points over time in bounded memory: when there are too many, every second one goes. The same
// rule as on the server (series.py), so that a page that is loaded again shows the same.
const MOST = 600;

export class Series {
  constructor(most = MOST) {
    this.most = most;
    this.kept = [];
    this.step = 1;
    this.count = 0;
    this.last = null;
  }

  add(point) {
    this.last = point;
    if (this.count % this.step === 0) this.kept.push(point);
    this.count += 1;
    if (this.kept.length > this.most) {
      this.kept = this.kept.filter((_, i) => i % 2 === 0);
      this.step *= 2;
    }
  }

  points() {
    return this.last === null || this.kept.at(-1) === this.last ? this.kept : [...this.kept, this.last];
  }
}

// The legend hides solvers; a click on a column's name sorts by it; the field searches the runs.
'use strict';
for (const box of document.querySelectorAll('.legend input')) {
  const mine = document.querySelectorAll('.solver.' + box.value);
  const same = document.querySelectorAll('.legend input[value="' + box.value + '"]');
  const light = on => mine.forEach(part => part.classList.toggle('lit', on));
  box.addEventListener('change', () => {
    same.forEach(other => { other.checked = box.checked; });
    mine.forEach(part => part.classList.toggle('off', !box.checked));
  });
  box.parentNode.addEventListener('mouseenter', () => {
    document.body.classList.add('choosing');
    light(true);
  });
  box.parentNode.addEventListener('mouseleave', () => {
    document.body.classList.remove('choosing');
    light(false);
  });
}
for (const button of document.querySelectorAll('.all-or-none')) {
  button.addEventListener('click', () => {
    const boxes = [...button.parentNode.querySelectorAll('input')];
    const on = !boxes.every(box => box.checked);
    boxes.forEach(box => {
      box.checked = on;
      box.dispatchEvent(new Event('change'));
    });
  });
}
const compare = (a, b) => {
  if (a === '') return b === '' ? 0 : 1;
  if (b === '') return -1;
  const difference = Number(a) - Number(b);
  return Number.isNaN(difference) ? a.localeCompare(b) : difference;
};
for (const table of document.querySelectorAll('table.sortable')) {
  const heads = [...table.querySelectorAll('thead th')];
  heads.forEach((head, index) => head.addEventListener('click', () => {
    const up = head.getAttribute('aria-sort') !== 'ascending';
    heads.forEach(other => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const rows = [...table.tBodies[0].rows];
    const key = row => row.cells[index].dataset.v;
    rows.sort((a, b) => (up ? 1 : -1) * compare(key(a), key(b)));
    table.tBodies[0].append(...rows);
  }));
}
const search = document.getElementById('search');
if (search) search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(' ').filter(word => word);
  for (const row of document.querySelectorAll('table.runs tbody tr')) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every(word => text.includes(word));
  }
});

"""`andorra view`: a page in the browser, served from this machine to this machine.

The page is plain ES modules and CSS (`page/`), and asks for everything in JSON (`app.py`). What is
opened is named on the command line; nothing that the page sends ever becomes a path.

    connections who may keep a connection: whoever has shown the token
    guard       who may ask at all: host, origin, token, size of a request
    seats       places of which there are only so many
    forms       what a request says, read strictly
    answers     what is answered, as JSON, whatever text is in it
    subjects    the game and the position that a request names
    graphs      the graphs that pages send, in bounded memory
    entries     a certificate's entries on disk, found through an index
    strategies  which of them serves a position
    walks       places of a strategy as the page wants them
    notation    a line as text: the game's moves, USI, KIF
    searches    the one search that runs, what it tells and who watches
    series      the history of a search in bounded memory
    results     files of `andorra compare` and of studies
    library     all that is open
    app         the routes
    server      starting and ending

The command `view` needs the extra `andorra[viewer]`; only `app`, `connections` and `server` import
it.
"""

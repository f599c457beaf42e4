"""What a browser shows to somebody who comes without a token: a page that says where to get one.

It is one file, as nothing else of the page may be fetched without a token.
"""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import HTMLResponse

_TEXTS = {
    "en": (
        "This table asks for its link",
        "Open the whole link that the terminal of the service shows, or scan the code beneath it.",
    ),
    "de": (
        "Dieser Tisch fragt nach seinem Link",
        "Öffnen Sie den ganzen Link, den das Terminal des Dienstes zeigt, oder scannen Sie den "
        "Code darunter.",
    ),
}
_PAGE = """<!doctype html>
<html lang="{language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Table Referee</title>
  <link rel="icon" href="data:,">
  <style>
    :root {{ --paper: #f6f3ec; --ink: #22302b; --soft: #5a6762; }}
    @media (prefers-color-scheme: dark) {{
      :root {{ --paper: #131a18; --ink: #ebe7dc; --soft: #a5b0aa; }}
    }}
    body {{ margin: 0; background: var(--paper); color: var(--ink);
      font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }}
    main {{ max-width: 34rem; margin: 0 auto; padding: 15vh 1.5rem; }}
    h1, small {{ font-family: "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif; }}
    h1 {{ margin: 0.2rem 0 1rem; font-size: 1.8rem; line-height: 1.2; }}
    small {{ color: var(--soft); }}
  </style>
</head>
<body>
  <main>
    <small>Table Referee</small>
    <h1>{title}</h1>
    <p>{text}</p>
  </main>
</body>
</html>
"""


def wants_page(method: str, path: str, headers: Mapping[str, str]) -> bool:
    """Whether a person in a browser asks for a page, and not a program for an answer."""
    is_read = method in ("GET", "HEAD") and not path.startswith("/api/")
    return is_read and "text/html" in headers.get("accept", "")


def answer_page(headers: Mapping[str, str]) -> HTMLResponse:
    """Returns the page, in the language that its reader likes best of those that there are."""
    language = language_of(headers.get("accept-language", ""))
    title, text = _TEXTS[language]
    told = {
        "WWW-Authenticate": "Bearer",
        "Cache-Control": "no-store",
        "Content-Language": language,
        "Vary": "Accept, Accept-Language",
    }
    page = _PAGE.format(language=language, title=title, text=text)
    return HTMLResponse(page, 401, told)


def language_of(accepted: str) -> str:
    """Returns the language that an `Accept-Language` prefers, English where it names none of ours.

    >>> language_of("de-AT,de;q=0.9,en;q=0.8"), language_of("fr, de;q=0.3")
    ('de', 'de')
    """
    best, most = "en", 0.0
    for each in accepted.split(","):
        name, _, weight = each.partition(";")
        language = name.strip().lower().partition("-")[0]
        try:
            liked = float(weight.strip().removeprefix("q=")) if weight else 1.0
        except ValueError:
            continue
        if language in _TEXTS and liked > most:
            best, most = language, liked
    return best

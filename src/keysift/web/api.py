"""The API of the workbench: each path is one operation of the page, typed; errors are one sentence."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from keysift import __version__
from keysift.errors import KeysiftError, listening
from keysift.web import ask_screen, bodies, ranking_schemas, review_screen, schemas
from keysift.web.chips import keywords_of
from keysift.web.cut_screen import cuts, threshold_of, told_by
from keysift.web.exports import TYPES, export, repeat
from keysift.web.guard import Guard
from keysift.web.keyword_screen import found_by
from keysift.web.map import NOT_MADE, Places, map_of, places
from keysift.web.preview import look_at
from keysift.web.ranked import Ranked
from keysift.web.ranking_screen import check_place, document, rows, rows_of, scored
from keysift.web.refusals import for_page, status_of
from keysift.web.versions import changes, versions, written_versions
from keysift.web.workbench import Workbench

STATIC = Path(__file__).parent / "static"
REFUSED: dict[int | str, dict[str, Any]] = {
    code: {"model": schemas.Problem, "description": what}
    for code, what in {
        400: "Another host than this one was asked",
        401: "The token is missing or wrong",
        403: "The request comes from another page",
        404: "There is no such thing",
        409: "Something else has to be done first",
        413: "Too large",
        422: "Not understood, or not possible; the sentence says why",
    }.items()
}
BYTES = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


def application(bench: Workbench, token: str | None = None) -> FastAPI:
    """The page and the API of a workbench; with a token, only for those who know it."""
    app = FastAPI(
        title="keysift",
        version=__version__,
        summary="Find the documents you mean, from a handful of keywords. No labels.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # it would be loaded from elsewhere
        redoc_url=None,
    )
    app.include_router(_router(bench), prefix="/api", responses=REFUSED)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_api_route("/", lambda: FileResponse(STATIC / "index.html"), include_in_schema=False)
    app.add_exception_handler(KeysiftError, _told)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(HTTPException, _other)
    app.add_middleware(Guard, token=token, most=bench.project.most)
    app.add_middleware(Quietly)
    return app


def _router(bench: Workbench) -> APIRouter:
    api = APIRouter()
    made: dict[str, tuple[Ranked, Places]] = {}

    @api.get("/status")
    def status() -> schemas.Status:
        """Where the project stands."""
        return bench.status()

    @api.put("/files/{name}", openapi_extra=BYTES, responses={415: {"model": schemas.Problem}})
    async def put_file(name: str, request: Request) -> schemas.Status:
        """Give a file: the body is its bytes."""
        length = request.headers.get("content-length", "")
        bench.project.check_new(name, int(length) if length.isdigit() else None)
        await bench.project.keep(name, request.stream())
        bench.changed()
        return bench.status()

    @api.delete("/files/{name}")
    def remove_file(name: str) -> schemas.Status:
        """Take a file out of the project."""
        bench.remove(name)
        return bench.status()

    @api.post("/sample")
    def make_sample() -> schemas.Status:
        """Put a sample corpus into the project: docstrings of numpy, scipy and scikit-learn."""
        bench.add_sample()
        return bench.status()

    @api.post("/preview")
    def preview(look: bodies.Look) -> schemas.Preview:
        """Look at a file before it is opened."""
        return look_at(bench.project.path(look.file), look.text, look.id)

    @api.post("/corpus", status_code=202)
    def open_corpus(look: bodies.Look) -> schemas.Job:
        """Open the documents of a file, in the background."""
        return bench.open(look.file, look.text, look.id)

    @api.post("/match")
    def match(given: bodies.Keywords) -> schemas.Found:
        """See what keywords find; nothing is learned."""
        return found_by(bench.opened, given, bench.current)

    @api.post("/learn", status_code=202)
    def learn(given: bodies.Keywords) -> schemas.Job:
        """Learn from keywords, in the background."""
        return bench.learn(keywords_of(given))

    @api.delete("/job")
    def cancel() -> schemas.Status:
        """Stop what is under way; everything stays as it was."""
        bench.jobs.cancel()
        return bench.status()

    @api.get("/versions", response_model=list[schemas.Version])
    def get_versions() -> Response:
        """Every version of the keywords that was learned from."""
        return _written(bench.memo.once("versions", bench.project.edition, lambda: written_versions(bench)))

    @api.patch("/versions/{number}")
    def rename(number: int, given: bodies.Name) -> list[schemas.Version]:
        """Give a version a name."""
        with bench.lock:
            bench.project.rename(number, given.name)
            bench.changed()
            return versions(bench.project)

    @api.get("/changes")
    def get_changes(before: int, after: int, top: Annotated[int, Query(ge=1, le=100_000)] = 100) -> schemas.Changes:
        """What changed between two versions."""
        with bench.lock:
            return changes(bench.project, bench.opened, before, after, top)

    @api.get("/ranking", response_model=ranking_schemas.Rows)
    def ranking(
        start: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
        n: Annotated[int, Query(ge=1, le=200)] = 50,
        filter: ranking_schemas.Filter = "all",
        search: Annotated[str, Query(max_length=1_000)] = "",
    ) -> Response:
        """Some rows of the ranking."""
        ranked = bench.ranked
        return _kept(ranked, "rows", (start, n, filter, search), lambda: rows(ranked, start, n, filter, search))

    @api.post("/rows")
    def some_rows(given: bodies.Documents) -> ranking_schemas.Rows:
        """The rows of some documents, best first."""
        ranked = bench.ranked
        asked = np.array([check_place(ranked, place) for place in dict.fromkeys(given.documents)], dtype=np.int64)
        asked = asked[np.argsort(ranked.result.ranking.ranks[asked])]
        return ranking_schemas.Rows(total=len(asked), start=0, rows=rows_of(ranked, asked))

    @api.get("/documents/{place}")
    def get_document(place: int) -> ranking_schemas.Document:
        """One document as a whole."""
        with bench.lock:
            return document(bench.ranked, place)

    @api.get("/cuts", response_model=ranking_schemas.Cuts)
    def get_cuts() -> Response:
        """The histogram, every cut that can be chosen, and the prior."""
        ranked = bench.ranked
        return _kept(ranked, "cuts", (), lambda: cuts(ranked, bench.told))

    @api.post("/cut")
    def cut(given: bodies.CutAt) -> ranking_schemas.Cuts:
        """Cut the ranking elsewhere; nothing is learned."""
        bench.cut(given.prior, threshold_of(given))
        return _told_cuts(bench)

    @api.get("/ask")
    def get_asking() -> ranking_schemas.Asking:
        """Twenty documents to ask about, drawn at random from all parts of the ranking."""
        return ask_screen.asking(bench.ranked)

    @api.put("/ask")
    def answer_asked(given: bodies.AskAnswer) -> ranking_schemas.Asking:
        """Answer one of them."""
        with bench.lock:
            bench.changed()
            asking = ask_screen.answer(bench.ranked, given)
            bench.keep_sample()
            return asking

    @api.post("/ask")
    def apply_asked() -> ranking_schemas.Cuts:
        """Decide by the answers to them."""
        ranked = bench.ranked
        prior = ask_screen.apply(ranked)
        with bench.lock:
            bench.project.keep_prior(prior)
            bench.keep_sample()
        bench.changed()
        return _told_cuts(bench)

    @api.post("/score")
    def score(given: bodies.Text) -> ranking_schemas.Scored:
        """What the model makes of a text."""
        clf, ranked = bench.ranker(), bench.ranked
        return scored(clf, ranked, given.text)

    @api.post("/map", status_code=202)
    def make_map() -> schemas.Job:
        """Draw the map, in the background."""
        ranked = bench.ranked
        return bench.jobs.start("map", lambda *_: made.update(map=(ranked, places(ranked.opened.prepared))))

    @api.get("/map")
    def get_map() -> ranking_schemas.Map:
        """The map, if it is made."""
        ranked, known = bench.ranked, made.get("map")
        if known is None or known[0].opened is not ranked.opened:
            return NOT_MADE
        return map_of(ranked, known[1])

    @api.get("/review")
    def get_review() -> ranking_schemas.Review:
        """What to read next, and how far the review is."""
        with bench.lock:
            return review_screen.review(bench.ranked)

    @api.post("/review/answer")
    def answer(given: bodies.ReviewAnswer) -> ranking_schemas.Review:
        """Answer the document that is shown."""
        with bench.lock:
            bench.changed()
            return review_screen.answer(bench.ranked, given)

    @api.post("/review/back")
    def back() -> ranking_schemas.Review:
        """Take back the last answer."""
        with bench.lock:
            bench.changed()
            return review_screen.back(bench.ranked)

    @api.post("/review/check")
    def check() -> ranking_schemas.Review:
        """Start a stop check, or end the one that runs."""
        with bench.lock:
            bench.changed()
            bench.ranked.reviewer.check()
            return review_screen.review(bench.ranked)

    @api.put("/notes")
    def note(given: bodies.Note) -> ranking_schemas.Review:
        """Keep a note on a document."""
        with bench.lock:
            return review_screen.note(bench.ranked, given)

    @api.put("/answers")
    def answer_any(given: bodies.Answer) -> schemas.Status:
        """Answer any document of the ranking, or take an answer back."""
        with bench.lock:
            bench.ranked.reviewer.say(check_place(bench.ranked, given.document), given.answer)
            bench.changed()
            return bench.status()

    @api.get("/export/{name}", response_class=FileResponse)
    def get_export(name: str) -> FileResponse:
        """Take a result away."""
        folder = tempfile.mkdtemp(prefix="keysift-")
        clean = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
        try:
            path = export(bench, name, Path(folder))
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return FileResponse(path, media_type=TYPES[name], filename=name, background=clean)

    @api.get("/repeat")
    def get_repeat() -> ranking_schemas.Repeat:
        """The command line and the Python lines that do the same."""
        with bench.lock:
            return repeat(bench)

    return api


def _told_cuts(bench: Workbench) -> ranking_schemas.Cuts:
    """Everything about the cut; what a random sample tells of it is remembered."""
    ranked = bench.ranked
    made = cuts(ranked, bench.told)
    bench.keep_told(told_by(ranked, made))
    return made


def _kept(ranked: Ranked, name: str, asked: object, make: Callable[[], BaseModel]) -> Response:
    """What is made of a ranking and its answers, as it was written the last time that the same was asked for."""
    key = (ranked.result, ranked.answers(), asked)
    return _written(ranked.memo.once(name, key, lambda: make().model_dump_json()))


def _written(text: str | bytes) -> Response:
    return Response(text, media_type="application/json")


class Quietly:
    """Warnings of the library are for whoever calls it; the page has sentences of its own."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, and show no warning."""
        with listening():
            await self.app(scope, receive, send)


async def _told(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, KeysiftError)
    return JSONResponse({"error": for_page(error)}, status_of(error))


async def _not_understood(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the body"
    return JSONResponse({"error": f"{where}: {first['msg']}; see /api/openapi.json for what is allowed."}, 422)


async def _other(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    sentence = f"{error.detail}: {request.method} {request.url.path}; see /api/openapi.json for what there is."
    return JSONResponse({"error": sentence}, error.status_code, headers=error.headers)

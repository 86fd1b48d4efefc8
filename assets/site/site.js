// The script of every page without a server: its look, its walk through a course or a pack, and on a lesson's page the
// lesson. A page in one file has its films in it, and loads nothing.
import { Player } from "../player/player.js";
import { element } from "../shared/element.js";
import { lab } from "../shared/lab.js";
import { wordsOf, writeAddress } from "../shared/words.js";
import { putUp } from "../stage/chart.js";
import { nearestFrame } from "../stage/decode.js";
import { spotOf } from "./drawers.js";
import { Files } from "./files.js";
import { ASKED, LessonPage, TOLD_KEY } from "./lesson.js";
import { Look, sandboxed } from "./look.js";
import { Walk } from "./walk.js";

const sitePage = JSON.parse(document.getElementById("lab-page").textContent),
  siteLook = new Look(sitePage),
  siteFiles = new Files(sitePage.films),
  siteLesson = sitePage.views ? new LessonPage(sitePage, siteLook, siteFiles) : null,
  siteWalk = sitePage.walks?.[wordsOf(location.search).get("course") ?? ""];

// What the scripts of films and of the game take and hand over.
lab.site = {
  lesson: siteLesson,
  take: (name, said) => siteFiles.take(name, said),
  worlds: [],
  stand({ alt }) {
    const stage = document.querySelector("#stage");
    if (!stage.firstElementChild)
      stage.replaceChildren(element("figure", { className: "stage st-key-stage_desk" }, spotOf("main")));
    putUp(stage.querySelector(".chart"), { key: "main", alt, plotly: "plotly.min.js", revision: null }, () => null);
  },
  play(name, film, head, told = () => {}) {
    const player = lab.player ?? new Player(document.querySelector("#player .player"));
    player.load({ ...head, revision: name }, () => film, told);
  },
};

siteLook.wear();
siteLook.hear((what) => {
  if (siteLesson) siteLesson.changed(what);
  else writeAddress("replaceState", `#${siteLook.dressed(new URLSearchParams(location.hash.slice(1)))}`);
});

if (siteWalk) {
  const host = {
    view: () => siteLesson?.wanted?.key ?? wordsOf(location.hash.slice(1)).get("moment"),
    end: (view) => (siteLesson?.shown ? nearestFrame(siteLesson.answer.scene.times, siteLesson.view(view).t) : -1),
    dressed: (words) => siteLook.dressed(words),
    go(view, t) {
      if (!siteLesson) return false;
      const words = { [ASKED]: { guess: "open" }, [TOLD_KEY]: { guess: siteLesson.guessed, reveal: "true" } }[view] ?? {
        moment: view,
      };
      siteLesson.go(new Map(Object.entries({ ...words, ...(t !== null && { t: String(t) }) })));
      return true;
    },
  };
  lab.site.walk = new Walk(siteWalk, sitePage.file, host);
}

// A word of the glossary leads to its page.
document.addEventListener("click", (e) => {
  const term = e.target.closest?.('a[href^="#term-"]');
  if (!term) return;
  e.preventDefault();
  location.href = `glossary.html${term.hash}`;
});

siteLesson?.open();

// Over HTTP what was opened once opens again without a network. What came before the worker was there, it fetches itself.
if (location.protocol.startsWith("http") && !sandboxed && navigator.serviceWorker) {
  const { serviceWorker } = navigator,
    hand = () =>
      serviceWorker.controller?.postMessage([...siteFiles.asked.keys()].map((name) => siteFiles.address(name)));
  if (!serviceWorker.controller) serviceWorker.addEventListener("controllerchange", hand);
  serviceWorker.register("worker.js").catch(() => {});
}

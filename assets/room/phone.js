// A phone in a room: it asks again and again what is on screen, and sends one answer, which the server acknowledges.
import { Play } from "./play.js";

const base = location.pathname.replace(/\/+$/, ""),
  at = (id) => document.getElementById(id);
const AGAIN = 2000; // milliseconds until a request that failed is sent again
const PATIENCE = 8000; // and until an answer that does not come counts as none
const HINT = {
  waiting: "The next question comes by itself. Leave this page open.",
  shut: "The answers are closed. Look at the wall.",
};
const CHOOSE = "Tap your answer. You can change it until the reveal.",
  FIRST = "Tap the one that you think comes first. You can change it until the reveal.",
  KEPT = "Answered.";
let room = { state: "", v: "", wait: AGAIN },
  sending = null; // number of the choice that is on its way

const say = (words) => {
  if (at("status").textContent !== words) at("status").textContent = words;
};
// What the room answers: 409 is a refusal, and any other status above 204 comes from a proxy that did not reach it, or
// from a room that does not reach its database.
async function ask(path, options = {}) {
  const answer = await fetch(base + path, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE), ...options });
  if (answer.status > 204 && answer.status !== 409) throw new Error(`status ${answer.status}`);
  return answer;
}

const again = () => new Promise((done) => setTimeout(done, AGAIN));
const play = new Play(at, ask, say, again);

function draw() {
  const { state, question, options = [], ranks, sentence, rounds } = room,
    told = state === "told" && !rounds,
    head = rounds ? "Find the hidden peak" : told ? sentence : state === "waiting" ? "You are in" : question;
  if (at("head").textContent !== head) at("head").textContent = head;
  if (!rounds) at("hint").textContent = told ? "" : (HINT[state] ?? (ranks ? FIRST : CHOOSE));
  drawAnswers(options);
  at("game").hidden = !rounds;
  if (rounds) play.load(room);
}

// What the server has of this phone, unless an answer is on its way.
function status() {
  if (sending !== null || room.rounds) return; // a game says its own
  if (room.state === "told") say(own());
  else say(room.state === "open" && room.mine !== null ? KEPT : "");
}

// Own answer beside the truth, and how many of the room had it.
function own() {
  const { mine, right, counts, options } = room,
    hits = right.reduce((sum, one) => sum + counts[one], 0),
    all = counts.reduce((a, b) => a + b, 0),
    class_ = all ? `${hits} of ${all} in this room had it.` : "";
  if (mine === null) return `You did not answer. ${class_}`;
  return `You said “${options[mine]}”: ${right.includes(mine) ? "correct" : "not so"}. ${class_}`;
}

// The buttons stay the same elements while a question is open: a finger or the focus may be on one.
function drawAnswers(options) {
  const box = at("answers"),
    name = `${room.id} ${options.length}`;
  if (box.dataset.name !== name) {
    box.dataset.name = name;
    box.replaceChildren(...options.map(button));
  }
  for (const [i, one] of [...box.children].entries()) {
    const told = room.state === "told",
      hit = told && room.right.includes(i);
    one.setAttribute("aria-pressed", String((sending ?? room.mine) === i));
    one.setAttribute("aria-disabled", String(room.state !== "open"));
    one.classList.toggle("right", hit);
    one.querySelector("i").textContent = hit ? "correct" : "";
  }
}

function button(text, i) {
  const made = document.createElement("button"),
    part = (name, words) => Object.assign(document.createElement(name), { textContent: words });
  made.type = "button";
  made.append(part("b", `${i + 1} · ${text}`), part("i", ""));
  if (room.about[i]) made.append(part("small", room.about[i]));
  made.onclick = () => room.state === "open" && send(i);
  return made;
}

// Send an answer until the server has kept or refused it; another one in between takes its place.
async function send(choice) {
  sending = choice;
  say("Sending your answer …");
  draw();
  const { id } = room;
  while (sending === choice && room.id === id) {
    try {
      const answer = await ask(`/answer?question=${id}&choice=${choice}`, { method: "POST" });
      if (sending !== choice || room.id !== id) return;
      sending = null;
      if (answer.status === 204) room.mine = choice;
      draw();
      return say(answer.status === 204 ? KEPT : await answer.text());
    } catch {
      say("Not sent yet: the room does not answer. Trying again …");
      await again();
    }
  }
}

async function look() {
  let wait = AGAIN;
  try {
    const answer = await ask(`/now?v=${room.v}`);
    if (answer.status === 200) take(await answer.json());
    if (answer.status > 204) refuse(await answer.text());
    else ({ wait } = room);
    if (answer.status === 204 && at("status").dataset.lost) room.rounds ? play.draw() : status();
    delete at("status").dataset.lost;
  } catch {
    if (sending === null) say("No connection to the room. Trying again …");
    at("status").dataset.lost = "yes";
  }
  setTimeout(look, wait);
}

function take(found) {
  if (found.id !== room.id) sending = null;
  const fresh = found.id !== room.id && found.state === "open";
  room = found;
  draw();
  status();
  if (fresh) at("head").focus(); // a screen reader reads the question
}

function refuse(words) {
  room = { state: "", v: "", wait: AGAIN };
  at("head").textContent = "Not in the room";
  at("hint").textContent = words;
  at("game").hidden = true;
  at("answers").replaceChildren();
  delete at("answers").dataset.name;
  say("");
}

const code = base.split("/").pop().toUpperCase();
at("room").textContent = `Room ${code}`;
document.title = `Room ${code}`;
look();

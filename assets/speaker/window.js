// The speaker window: shows what the lab's window tells over their channel, and sends it the keys that are pressed here.
const channel = new BroadcastChannel(location.hash.slice(1)),
  at = (id) => document.getElementById(id);
const ASK = 1000; // milliseconds until the lab's window is asked again while it says nothing
let page = null,
  started = Date.now(),
  held = null;

const press = (key, shift, code) => channel.postMessage({ kind: "press", key, shift, code });
const quoted = (line) => (line ? `“${line}”` : "");

function drawPage() {
  const { moments, chosen } = page,
    now = moments[chosen - 1],
    next = moments[chosen];
  document.title = `Speaker window: ${page.lesson}`;
  at("lesson").textContent = page.lesson;
  at("now").textContent = now ? `Now: ${chosen} · ${now[0]}` : "No prepared moment is open";
  at("line").textContent = now ? quoted(now[1]) : page.question;
  at("next").textContent = next
    ? `Next: ${chosen + 1} · ${next[0]} (key ${chosen + 1})`
    : page.after && `Next lesson: ${page.after}`;
  at("next_line").textContent = next ? quoted(next[1]) : "";
  drawCourse();
  drawBet();
  at("moments").replaceChildren(
    ...moments.map(([title], i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `${i + 1} · ${title}`;
      button.setAttribute("aria-pressed", String(i + 1 === chosen));
      button.onclick = () => press(String(i + 1));
      return button;
    }),
  );
}

// While a bet is open: its question and answers, and that its truth comes next.
function drawBet() {
  const [question, ...answers] = page.asks ?? [];
  if (!question) return;
  at("label").textContent = ""; // of the page before the bet
  at("finding").textContent = "";
  at("now").textContent = "A bet is open";
  at("line").textContent = question;
  at("next").textContent = page.course
    ? `Next: Show what happened (Page Down)${page.room ? "" : "; digits count the votes"}`
    : `Next: choose an answer (keys 1 to ${answers.length}), then “Show what happened”`;
  at("next_line").textContent = answers.map((one, i) => `${i + 1} · ${one}`).join(", ");
}

// In a course its next stop comes next, and its stops stand with the minutes at which they begin.
function drawCourse() {
  const { course } = page;
  at("course").replaceChildren();
  at("next_key").textContent = course ? "Next" : "One step on";
  at("back_key").textContent = course ? "Back" : "One step back";
  if (!course) return;
  at("next").textContent = course.next && `Next: ${course.next} (Page Down)`;
  at("next_line").textContent = quoted(course.line);
  let minute = 0;
  for (const [i, [title, minutes, spare]] of course.stops.entries()) {
    const stop = document.createElement("li");
    stop.textContent = `${title}, minute ${minute} to ${minute + minutes}${spare ? " (leave out when late)" : ""}`;
    if (i + 1 === course.at) stop.setAttribute("aria-current", "step");
    at("course").append(stop);
    minute += minutes;
  }
}

// The answers of a room: only the browser that opened it gets them before the reveal.
async function drawRoom() {
  const asks = () => page?.room && page.asks?.length;
  if (!asks()) return showRoom(null);
  const answer = await fetch(`${page.room}/speaker`, { credentials: "same-origin", cache: "no-store" }).catch(
      () => null,
    ),
    found = answer?.status === 200 ? await answer.json() : null;
  showRoom(asks() ? found : null); // it may have been revealed meanwhile
}

function showRoom(found) {
  at("room").hidden = !found?.asks;
  if (at("room").hidden) return;
  at("room_head").textContent = `${found.answered} of ${found.phones} phones have answered`;
  at("room_line").textContent = quoted(found.line);
  at("room_counts").replaceChildren(
    ...found.counts.map(([name, count]) =>
      Object.assign(document.createElement("li"), { textContent: `${name}: ${count}` }),
    ),
  );
  at("room_truth").textContent = `Only here: it is ${found.truth}.`;
}

channel.onmessage = ({ data }) => {
  if (data.kind === "page") {
    page = data;
    drawPage();
    drawRoom();
  }
  if (data.kind === "shown" && !page?.asks?.length) {
    at("label").textContent = data.label ?? "";
    at("finding").innerHTML = data.finding ?? "";
  }
  if (data.kind === "left") {
    page = null;
    at("now").textContent = "The lab's window is closed, or loads again";
    at("line").textContent = "";
  }
};

const digits = (n) => String(n).padStart(2, "0");
function tick() {
  const now = new Date(),
    seconds = Math.floor(((held ?? Date.now()) - started) / 1000),
    hours = Math.floor(seconds / 3600);
  at("clock").textContent = `${digits(now.getHours())}:${digits(now.getMinutes())}`;
  const minutes = Math.floor(seconds / 60) % 60;
  at("timer").textContent = `${hours ? `${hours}:${digits(minutes)}` : minutes}:${digits(seconds % 60)}`;
  if (!page) channel.postMessage({ kind: "hello" });
  else drawRoom();
}

at("hold").onclick = () => {
  if (held === null) held = Date.now();
  else {
    started += Date.now() - held;
    held = null;
  }
  at("hold").textContent = held === null ? "Pause timer" : "Go on";
};
at("reset").onclick = () => {
  started = Date.now();
  if (held !== null) held = started;
  tick();
};
for (const button of document.querySelectorAll("[data-key]")) {
  button.onclick = () => press(button.dataset.key, button.hasAttribute("data-shift"));
}
window.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.key === "Tab") return;
  if (e.target.tagName === "BUTTON" && (e.key === " " || e.key === "Enter")) return;
  press(e.key, e.shiftKey, e.code);
  if (/^(Page|Arrow|Home|End| )/.test(e.key)) e.preventDefault();
});
channel.postMessage({ kind: "hello" });
setInterval(tick, ASK);
tick();

// The browser's own Python, once its files have come: Pyodide with numpy and scipy, and the lab's archives in it. The
// worker of a page runs this, and Node for the tests.
const LAB = "/lab"; // where the archives are unpacked

// `loadPyodide` and its options; `archives` are the bytes of the lab's archives, `lessons` the [key, number] of those
// that are asked, and `own` the text of a policy of the reader's own.
export async function startPython(loadPyodide, options, archives, lessons, own = "") {
  const python = await loadPyodide(options);
  await python.loadPackage(["numpy", "scipy"], { messageCallback() {}, errorCallback() {} });
  for (const bytes of archives) python.unpackArchive(bytes, "bztar", { extractDir: LAB });
  python.runPython(`__import__("sys").path.insert(0, "${LAB}")`);
  const browser = python.pyimport("answers.browser"),
    desk = browser.open_desk(python.toPy(lessons), own);
  return {
    python,
    // What an address of a film or a frame answers: { status, bytes }.
    get(address) {
      const found = desk.get(address),
        [status, bytes] = found.toJs();
      found.destroy();
      return { status, bytes };
    },
    // What a page shows in a state, as plain values; `key` of the drawer, table or task.
    say: (what, text, key = "") => JSON.parse(desk.say(what, text, key)),
    // A chart that stands still, compressed.
    chart(text, key) {
      const found = desk.chart(text, key),
        bytes = found.toJs();
      found.destroy();
      return bytes;
    },
    // What the checks say of the text of a policy.
    check: (text) => JSON.parse(desk.check(text)),
    // One of the runs that a state waits for: { done, of, left }.
    run: (text) => JSON.parse(desk.run(text)),
  };
}

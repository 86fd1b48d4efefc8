// The browser's own Python, once its files have come: Pyodide with numpy and scipy, and the lab's archives in it. The
// worker of a page runs this, and Node for the tests.
const LAB = "/lab", // where the archives are unpacked
  QUIET = { messageCallback() {}, errorCallback() {} };

// `loadPyodide` and its options; `archives` are the bytes of the lab's archives, `lessons` the [key, number] of those
// that are asked, and `own` the text of a policy of the reader's own.
export async function startPython(loadPyodide, options, archives, lessons, own = "") {
  const python = await loadPyodide({ ...options, packages: ["numpy", "scipy"] }); // come while Python starts
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
    // The words of the address after an act on a table of the reader's own, which is read with pandas.
    async table(text, act, name = "", value = "") {
      if (act === "take") await python.loadPackage(["pandas"], QUIET);
      return JSON.parse(desk.table(text, act, name, python.toPy(value)));
    },
    // One of the runs that a state waits for: { done, of, left }.
    run: (text) => JSON.parse(desk.run(text)),
  };
}

export function downloadText(name: string, lines: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Prints a heading and lines without the surrounding page. */
export function printLines(heading: string, lines: readonly string[]): void {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  document.body.append(frame);
  const page = frame.contentDocument;
  const view = frame.contentWindow;
  if (!page || !view) return;
  page.documentElement.lang = document.documentElement.lang;
  page.documentElement.dir = document.documentElement.dir;
  const title = page.createElement("h1");
  title.textContent = heading;
  title.style.font = "600 14pt sans-serif";
  const list = page.createElement("pre");
  list.dir = "ltr";
  list.textContent = lines.join("\n");
  list.style.font = "13pt/1.9 monospace";
  page.body.append(title, list);
  view.addEventListener("afterprint", () => window.setTimeout(() => frame.remove()));
  view.focus();
  view.print();
}

export function downloadText(fileName: string, lines: readonly string[]): void {
  saveFile(fileName, `${lines.join("\r\n")}\r\n`, "text/plain");
}

export function saveFile(fileName: string, content: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // Browsers read the URL after the click, so it must stay valid for a while.
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Prints from a hidden frame, so that the rest of the page stays off the paper. */
export function printLines(heading: string, lines: readonly string[]): void {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  document.body.append(frame);
  const frameDocument = frame.contentDocument;
  const frameWindow = frame.contentWindow;
  if (!frameDocument || !frameWindow) return;
  frameDocument.documentElement.lang = document.documentElement.lang;
  frameDocument.documentElement.dir = document.documentElement.dir;
  const title = frameDocument.createElement("h1");
  title.textContent = heading;
  title.style.font = "600 14pt sans-serif";
  const textBlock = frameDocument.createElement("pre");
  textBlock.dir = "ltr";
  textBlock.textContent = lines.join("\n");
  textBlock.style.font = "13pt/1.9 monospace";
  frameDocument.body.append(title, textBlock);
  frameWindow.addEventListener("afterprint", () => window.setTimeout(() => frame.remove()));
  frameWindow.focus();
  frameWindow.print();
}

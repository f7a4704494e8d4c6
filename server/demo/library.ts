import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { ZipFile } from "yazl";
import { MEDIA_FORMATS } from "@/server/domains/sites/media/policy";
import { toShortcutKey } from "@/server/domains/sites/snippets/policy";
import { buildSnippetSearchText } from "@/server/domains/sites/snippets/service/search-text";
import { prisma } from "@/server/infrastructure/database/client";
import { makeMedia } from "./factories";

/** One second of silence: MP3 frames of layer III, 32 kbit/s, 44.1 kHz. */
function createSilentMp3(): Buffer {
  const frame = Buffer.alloc(104);
  frame.set([0xff, 0xfb, 0x10, 0xc4]);
  return Buffer.concat(Array.from({ length: 38 }, () => frame));
}

function createPdf(line: string): Buffer {
  const content = `BT /F 24 Tf 72 700 Td (${line}) Tj ET`;
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj${object}endobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const xrefTable = `xref\n0 6\n0000000000 65535 f \n${offsets.join("")}trailer<</Size 6/Root 1 0 R>>\n`;
  return Buffer.from(`${text}${xrefTable}startxref\n${text.length}\n%%EOF\n`, "latin1");
}

async function createPictureData(name: string, format: "jpg" | "png" | "webp", color: string) {
  const image = sharp({ create: { width: 800, height: 600, channels: 3, background: color } });
  const bytes = await image
    .clone()
    .toFormat(format === "jpg" ? "jpeg" : format)
    .toBuffer();
  const preview = await image.resize(320).webp().toBuffer();
  const { type: mimeType, kind } = MEDIA_FORMATS[format];
  return { name, bytes, preview, kind, mimeType, width: 800, height: 600 };
}

/** Four seconds of H.264 and AAC. */
async function readFilmData(name: string) {
  const bytes = await readFile(join(process.cwd(), "server/demo/film.mp4"));
  const { type: mimeType, kind } = MEDIA_FORMATS.mp4;
  return { name, bytes, kind, mimeType, width: 480, height: 270, durationMs: 4000 };
}

function createArchive(name: string, text: string): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream);
}

export async function seedLibrary(userId: number): Promise<void> {
  const menu = await makeMedia(userId, await createPictureData("menü.jpg", "jpg", "#7C3AED"));
  await makeMedia(userId, await createPictureData("logo.png", "png", "#0F766E"));
  await makeMedia(userId, await createPictureData("kampanya.webp", "webp", "#C2410C"));
  const prices = await makeMedia(userId, { name: "fiyat-listesi.pdf", bytes: createPdf("Kaya Kahve 2026") });
  await makeMedia(userId, {
    name: "bekleme.mp3",
    bytes: createSilentMp3(),
    kind: "audio",
    mimeType: "audio/mpeg",
  });
  await makeMedia(userId, await readFilmData("tanıtım.mp4"));
  const recipes = await createArchive("tarifler.txt", "Türk kahvesi: bir fincan su, iki tatlı kaşığı kahve.");
  await makeMedia(userId, { name: "tarifler.zip", bytes: recipes, mimeType: MEDIA_FORMATS.zip.type });
  const snippets = [
    { title: "Hoş geldiniz", shortcut: "merhaba", body: "Merhaba! Size nasıl yardımcı olabiliriz?" },
    { title: "Menü", shortcut: "menu", body: "Güncel menümüz ektedir.", mediaFileId: menu.id },
    { title: "Fiyat listesi", shortcut: "fiyat", body: "2026 fiyatlarımız ektedir.", mediaFileId: prices.id },
    { title: "Kampanya", shortcut: null, body: "Bu haftanın kampanyası:", fileMissingAt: new Date() },
  ];
  await prisma().snippet.createMany({
    data: snippets.map((snippet) => ({
      ...snippet,
      userId,
      createdById: userId,
      shortcutKey: snippet.shortcut && toShortcutKey(snippet.shortcut),
      searchText: buildSnippetSearchText(snippet),
    })),
  });
}

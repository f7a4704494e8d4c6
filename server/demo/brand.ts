import { Readable } from "node:stream";
import sharp from "sharp";
import { ulid } from "ulid";
import { buildBrandPalette } from "@/server/core/brand-colour";
import { prisma } from "@/server/infrastructure/database/client";
import { storage } from "@/server/infrastructure/storage/storage";

/** Too bright for text on white: exercises the palette's contrast correction. */
const YELLOW = "#FFD400";

function renderSun(size: number): string {
  const rays = Array.from({ length: 12 }, (_, index) => {
    const transform = `rotate(${index * 30} 32 32)`;
    return `<path d="M32 3 L38 16 L26 16 Z" transform="${transform}"/>`;
  });
  return `<svg x="0" y="0" width="${size}" height="${size}" viewBox="0 0 64 64">
    <g fill="${YELLOW}">${rays.join("")}<circle cx="32" cy="32" r="18"/></g>
    <g fill="none" stroke="#3b2f00" stroke-width="3" stroke-linecap="round">
      <path d="M25 29v1M39 29v1M32 33v4M32 37q-5 5-8 1M32 37q5 5 8 1"/></g></svg>`;
}

/** Draws "arslan" as paths: the machine may have no fonts. */
function renderWordmark(color: string): string {
  const letters = [
    ["M20 22a18 18 0 1 0 .1 0M38 22v36", 56],
    ["M0 22v36M0 40q2-18 18-18", 30],
    ["M28 27C24 19 4 19 4 30C4 41 30 38 30 49C30 61 6 61 2 52", 44],
    ["M0 0v58", 16],
    ["M20 22a18 18 0 1 0 .1 0M38 22v36", 56],
    ["M0 22v36M0 40a16 18 0 0 1 32 0v18", 40],
  ] as const;
  let offsetX = 0;
  const paths = letters.map(([path, width]) => {
    const positioned = `<path d="${path}" transform="translate(${offsetX} 0)"/>`;
    offsetX += width;
    return positioned;
  });
  return `<g transform="translate(104 16)" fill="none" stroke="${color}" stroke-width="8" stroke-linecap="round">${paths.join("")}</g>`;
}

const SVG_LOADER = ["VipsForeignLoadSvg"];

async function storePng(svg: string): Promise<string> {
  const key = `media/brands/${ulid()}.png`;
  // Uploaded pictures must not be SVG, so this process may have blocked them before.
  sharp.unblock({ operation: SVG_LOADER });
  const bytes = await sharp(Buffer.from(svg)).png({ compressionLevel: 9 }).toBuffer();
  sharp.block({ operation: SVG_LOADER });
  await storage().write(key, Readable.from([bytes]));
  return key;
}

const storeLogo = (color: string) =>
  storePng(
    `<svg xmlns="http://www.w3.org/2000/svg" width="380" height="90">${renderSun(90)}${renderWordmark(color)}</svg>`,
  );

export async function seedBrandAndPortal(userId: number): Promise<void> {
  await prisma().brand.create({
    data: {
      userId,
      productName: "Arslan Panel",
      color: YELLOW,
      palette: buildBrandPalette(YELLOW),
      logoPath: await storeLogo("#1f2937"),
      logoDarkPath: await storeLogo("#f3f4f6"),
      iconPath: await storePng(
        `<svg xmlns="http://www.w3.org/2000/svg" width="192" height="192">${renderSun(192)}</svg>`,
      ),
    },
  });
  await prisma().resellerPortal.create({
    data: {
      resellerId: userId,
      domain: "arslan.localhost",
      verifiedAt: new Date(),
      checkedAt: new Date(),
      checks: ["record", "address", "answer"].map((name) => ({ name, ok: true, detail: null })),
    },
  });
}

import { env } from "@/server/core/env";
import { isIdentityProvider } from "../../provider";

export async function GET(
  _request: Request,
  { params }: { params: Promise<{ provider: string; initials: string }> },
): Promise<Response> {
  const { provider, initials } = await params;
  if (env().production || !isIdentityProvider(provider)) return new Response(null, { status: 404 });
  const letters = [...decodeSafely(initials)].filter((letter) => /\p{L}/u.test(letter));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#0f766e"/><text x="48" y="50" fill="#fff" font-family="sans-serif" font-size="40" text-anchor="middle" dominant-baseline="central">${letters.slice(0, 2).join("")}</text></svg>`;
  return new Response(svg, {
    headers: {
      "content-type": "image/svg+xml",
      "cache-control": "public, max-age=300",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    },
  });
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

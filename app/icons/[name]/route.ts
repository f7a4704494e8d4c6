import { brandOfPage, iconOf } from "../../brand";

/**
 * Redirects default icon requests of browsers and phones to the brand's icon; 404 if that is a generated
 * initial.
 */
export async function GET(_: Request, { params }: RouteContext<"/icons/[name]">) {
  const brand = await brandOfPage();
  const { name } = await params;
  const touch = name === "touch" && brand.resellerId === undefined;
  const icon = touch ? "/icon-180.png" : iconOf(brand);
  if (!icon.startsWith("/") || (name !== "touch" && name !== "favicon"))
    return new Response(null, { status: 404 });
  return new Response(null, { status: 302, headers: { location: icon, vary: "cookie, host" } });
}

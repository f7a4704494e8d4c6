import { brandOfPage, iconOf } from "../../brand";

/** The icons that browsers and telephones ask for by themselves, of the brand at this host; none for a drawn letter. */
export async function GET(_: Request, { params }: RouteContext<"/icons/[name]">) {
  const brand = await brandOfPage();
  const { name } = await params;
  const touch = name === "touch" && brand.resellerId === undefined;
  const icon = touch ? "/icon-180.png" : iconOf(brand);
  if (!icon.startsWith("/") || (name !== "touch" && name !== "favicon"))
    return new Response(null, { status: 404 });
  return new Response(null, { status: 302, headers: { location: icon, vary: "cookie, host" } });
}

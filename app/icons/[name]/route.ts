import { getBrandIcon, getPageBrand } from "../../brand";

/** Redirects browsers' default icon paths to the brand's icon; 404 if the icon is a generated initial. */
export async function GET(_: Request, { params }: RouteContext<"/icons/[name]">) {
  const brand = await getPageBrand();
  const { name } = await params;
  const isTouchIcon = name === "touch" && brand.resellerId === undefined;
  const icon = isTouchIcon ? "/icon-180.png" : getBrandIcon(brand);
  if (!icon.startsWith("/") || (name !== "touch" && name !== "favicon"))
    return new Response(null, { status: 404 });
  return new Response(null, { status: 302, headers: { location: icon, vary: "cookie, host" } });
}

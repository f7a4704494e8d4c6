import type { MetadataRoute } from "next";
import { getBrandIcon, getPageBrand } from "./brand";

/** The manifest depends on the host, and settings are not available at build time. */
export const dynamic = "force-dynamic";

export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const brand = await getPageBrand();
  const icon = getBrandIcon(brand);
  const isPlatform = brand.resellerId === undefined;
  return {
    name: brand.name,
    short_name: brand.name,
    start_url: "/dashboard",
    display: "standalone",
    background_color: "#ffffff",
    // Fallback: the light primary colour of globals.css, in hexadecimal.
    theme_color: brand.palette?.light.fill ?? "#3655cd",
    icons: [
      { src: icon, sizes: "any" },
      ...(isPlatform ? [{ src: "/icon-180.png", sizes: "180x180", type: "image/png" }] : []),
    ],
  };
}

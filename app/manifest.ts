import type { MetadataRoute } from "next";
import { brandOfPage, iconOf } from "./brand";

/** The manifest depends on the host, and settings are not available at build time. */
export const dynamic = "force-dynamic";

/** Web app manifest with the brand of this host. */
export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const brand = await brandOfPage();
  const icon = iconOf(brand);
  const isPlatform = brand.resellerId === undefined;
  return {
    name: brand.name,
    short_name: brand.name,
    start_url: "/dashboard",
    display: "standalone",
    background_color: "#ffffff",
    theme_color: brand.palette?.light.fill ?? "#3655cd",
    icons: [
      { src: icon, sizes: "any" },
      ...(isPlatform ? [{ src: "/icon-180.png", sizes: "180x180", type: "image/png" }] : []),
    ],
  };
}

import type { MetadataRoute } from "next";
import { brandOfPage, iconOf } from "./brand";

/** Made for each host; a build has neither settings nor a brand. */
export const dynamic = "force-dynamic";

/** What a telephone shows of the panel on its home screen: name and icon of the brand at this host. */
export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const brand = await brandOfPage();
  const icon = iconOf(brand);
  const own = brand.resellerId === undefined;
  return {
    name: brand.name,
    short_name: brand.name,
    start_url: "/dashboard",
    display: "standalone",
    background_color: "#ffffff",
    theme_color: brand.palette?.light.fill ?? "#3655cd",
    icons: [
      { src: icon, sizes: "any" },
      ...(own ? [{ src: "/icon-180.png", sizes: "180x180", type: "image/png" }] : []),
    ],
  };
}

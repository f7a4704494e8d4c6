import type { MetadataRoute } from "next";

/** Pages say themselves whether they are to be found; what is no page is not to be called. */
export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: "*", disallow: ["/api/", "/trpc/", "/session/"] } };
}

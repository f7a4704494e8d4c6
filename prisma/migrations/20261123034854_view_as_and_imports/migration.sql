-- CreateEnum
CREATE TYPE "ImportState" AS ENUM ('uploaded', 'running', 'done');

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "deactivated_by" "Role";

-- AlterTable
ALTER TABLE "audit_events" ADD COLUMN     "on_behalf_of" INTEGER;

-- AlterTable
ALTER TABLE "resellers" ADD COLUMN     "reminded_version" TEXT;

-- CreateTable
CREATE TABLE "support_access" (
    "user_id" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "support_access_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "view_as" (
    "id" SERIAL NOT NULL,
    "actor_id" INTEGER,
    "target_id" INTEGER NOT NULL,
    "token_id" INTEGER,
    "reason" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "view_as_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "view_as_steps" (
    "view_as_id" INTEGER NOT NULL,
    "operation" TEXT NOT NULL,
    "calls" INTEGER NOT NULL DEFAULT 1,
    "first_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "view_as_steps_pkey" PRIMARY KEY ("view_as_id","operation")
);

-- CreateTable
CREATE TABLE "customer_imports" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "file_name" TEXT,
    "rows" JSONB NOT NULL,
    "mapping" JSONB,
    "state" "ImportState" NOT NULL DEFAULT 'uploaded',
    "total" INTEGER NOT NULL DEFAULT 0,
    "done" INTEGER NOT NULL DEFAULT 0,
    "report" JSONB NOT NULL DEFAULT '[]',
    "locale" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customer_imports_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "view_as_token_id_key" ON "view_as"("token_id");

-- CreateIndex
CREATE INDEX "view_as_target_id_id_idx" ON "view_as"("target_id", "id");

-- CreateIndex
CREATE INDEX "view_as_actor_id_idx" ON "view_as"("actor_id");

-- CreateIndex
CREATE INDEX "customer_imports_reseller_id_id_idx" ON "customer_imports"("reseller_id", "id");

-- AddForeignKey
ALTER TABLE "support_access" ADD CONSTRAINT "support_access_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "view_as" ADD CONSTRAINT "view_as_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "view_as" ADD CONSTRAINT "view_as_target_id_fkey" FOREIGN KEY ("target_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "view_as" ADD CONSTRAINT "view_as_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "access_tokens"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "view_as_steps" ADD CONSTRAINT "view_as_steps_view_as_id_fkey" FOREIGN KEY ("view_as_id") REFERENCES "view_as"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer_imports" ADD CONSTRAINT "customer_imports_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A visit is to somebody else's panel, and lasts an hour at most.
ALTER TABLE "view_as"
  ADD CONSTRAINT "view_as_other_check" CHECK ("actor_id" <> "target_id"),
  ADD CONSTRAINT "view_as_hour_check" CHECK ("expires_at" <= "started_at" + interval '61 minutes');
ALTER TABLE "customer_imports"
  ADD CONSTRAINT "customer_imports_done_check" CHECK ("done" BETWEEN 0 AND "total");

-- Few entries are of visits, and most are written while somebody signs in.
CREATE INDEX "audit_events_on_behalf_of_idx" ON "audit_events"("on_behalf_of") WHERE "on_behalf_of" IS NOT NULL;

-- Whom a reseller deactivated before this was kept, as the log knows it.
UPDATE "users" SET "deactivated_by" = 'reseller'
 WHERE NOT "is_active" AND "reseller_id" IS NOT NULL
   AND (SELECT e."action" FROM "audit_events" e
         WHERE e."object_type" = 'User' AND e."object_id" = "users"."id"::text
           AND e."action" IN ('customer.deactivated', 'customer.activated', 'team.member_deactivated', 'team.member_reactivated')
         ORDER BY e."id" DESC LIMIT 1) = 'customer.deactivated';

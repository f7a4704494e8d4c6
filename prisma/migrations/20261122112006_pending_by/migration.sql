-- AlterTable
ALTER TABLE "users" ADD COLUMN     "pending_by" INTEGER;

-- Nobody knows who asked for a change that waits now: ending any session ends it.
UPDATE "users" SET "pending_by" = 0 WHERE "pending_email" IS NOT NULL;

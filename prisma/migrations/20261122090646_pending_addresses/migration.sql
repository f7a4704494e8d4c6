-- AlterTable
ALTER TABLE "users" ADD COLUMN     "pending_email" TEXT,
ADD COLUMN     "pending_email_key" TEXT;

-- CreateIndex
CREATE INDEX "users_pending_email_key_idx" ON "users"("pending_email_key");

-- Changes that waited for a confirmation; whoever asked for one asks again.
DELETE FROM "email_changes" WHERE "applied_at" IS NULL;

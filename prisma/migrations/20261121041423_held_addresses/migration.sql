-- AlterTable
ALTER TABLE "email_changes" ADD COLUMN     "old_email_key" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "email_changes_old_email_key_idx" ON "email_changes"("old_email_key");

-- AlterTable
ALTER TABLE "access_tokens" ADD COLUMN     "made_in_id" INTEGER;

-- CreateIndex
CREATE INDEX "access_tokens_made_in_id_idx" ON "access_tokens"("made_in_id");

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_made_in_id_fkey" FOREIGN KEY ("made_in_id") REFERENCES "access_tokens"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "interim_tokens" ADD COLUMN     "identity" JSONB;

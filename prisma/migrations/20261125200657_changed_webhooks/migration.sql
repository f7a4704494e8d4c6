-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "changed_at" TIMESTAMPTZ(3);

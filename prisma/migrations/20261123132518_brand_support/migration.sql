-- AlterTable
ALTER TABLE "brands" ADD COLUMN     "support_email" TEXT,
ADD COLUMN     "support_phone" TEXT;

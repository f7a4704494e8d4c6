-- AlterTable
ALTER TABLE "accounting_access" ADD COLUMN     "called_at" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[];

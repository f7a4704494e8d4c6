-- AlterTable
ALTER TABLE "customer_imports" ADD COLUMN     "heading_row" INTEGER DEFAULT 1;

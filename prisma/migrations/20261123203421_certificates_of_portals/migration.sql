-- AlterTable
ALTER TABLE "reseller_portals" ADD COLUMN     "certificate_end" TIMESTAMPTZ(3);

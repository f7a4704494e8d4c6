-- AlterTable
ALTER TABLE "reseller_portals" ADD COLUMN     "verified_at" TIMESTAMPTZ(3);

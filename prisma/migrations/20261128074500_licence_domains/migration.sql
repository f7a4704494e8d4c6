-- AlterTable
ALTER TABLE "site_licences" ADD COLUMN     "domains" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- Licences that are open now know the domain of their site.
UPDATE "site_licences" l SET "domains" = ARRAY[s."domain"]
  FROM "sites" s
 WHERE s."id" = l."site_id" AND s."deleted_at" IS NULL AND l."status" IN ('pending', 'active');

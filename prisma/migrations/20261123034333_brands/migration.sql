-- DropIndex
DROP INDEX "reseller_portals_domain_key";

-- AlterTable
ALTER TABLE "reseller_portals" ADD COLUMN     "checked_at" TIMESTAMPTZ(3),
ADD COLUMN     "checks" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "claimed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "failing_since" TIMESTAMPTZ(3),
ADD COLUMN     "proof" TEXT NOT NULL DEFAULT md5((gen_random_uuid())::text),
ALTER COLUMN "brand_name" SET DEFAULT '';

-- CreateTable
CREATE TABLE "brands" (
    "user_id" INTEGER NOT NULL,
    "product_name" TEXT NOT NULL,
    "logo_path" TEXT,
    "logo_dark_path" TEXT,
    "icon_path" TEXT,
    "color" TEXT,
    "palette" JSONB,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "brands_pkey" PRIMARY KEY ("user_id")
);

-- CreateIndex
CREATE INDEX "reseller_portals_domain_idx" ON "reseller_portals"("domain");

-- AddForeignKey
ALTER TABLE "brands" ADD CONSTRAINT "brands_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Of several who claim a domain, one can have proved it.
CREATE UNIQUE INDEX "reseller_portals_domain_key" ON "reseller_portals" ("domain") WHERE "verified_at" IS NOT NULL;

ALTER TABLE "brands"
  ADD CONSTRAINT "brands_color_check" CHECK ("color" ~ '^#[0-9A-F]{6}$'),
  ADD CONSTRAINT "brands_palette_check" CHECK (("color" IS NULL) = ("palette" IS NULL));

-- The name that a portal showed becomes its reseller's brand.
INSERT INTO "brands" ("user_id", "product_name")
SELECT "reseller_id", "brand_name" FROM "reseller_portals" WHERE "brand_name" <> '';

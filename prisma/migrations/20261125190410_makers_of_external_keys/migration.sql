-- AlterTable
ALTER TABLE "external_keys" ADD COLUMN     "made_by_id" INTEGER;

-- CreateIndex
CREATE INDEX "external_keys_made_by_id_idx" ON "external_keys"("made_by_id");

-- AddForeignKey
ALTER TABLE "external_keys" ADD CONSTRAINT "external_keys_made_by_id_fkey" FOREIGN KEY ("made_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Who made the keys of before stands in the audit log, written within the same transaction.
UPDATE "external_keys" k SET "made_by_id" = u."id"
  FROM "audit_events" a JOIN "users" u ON u."id" = a."actor_id"
 WHERE a."action" = 'site.external_key_renewed' AND a."object_type" = 'Site' AND a."object_id" = k."site_id"::text
   AND a."at" BETWEEN k."created_at" - interval '5 seconds' AND k."created_at" + interval '5 seconds';

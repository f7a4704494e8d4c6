-- The administrator's overview counts what the last 30 days brought; without these it reads both tables whole.
CREATE INDEX "users_created_at_idx" ON "users"("created_at") WHERE "anonymised_at" IS NULL;
CREATE INDEX "sites_created_at_idx" ON "sites"("created_at") WHERE "deleted_at" IS NULL;

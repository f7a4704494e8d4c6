-- DropIndex
DROP INDEX "users_reseller_id_idx";

-- DropIndex
DROP INDEX "users_parent_user_id_idx";

-- CreateIndex
CREATE INDEX "users_reseller_id_id_idx" ON "users"("reseller_id", "id");

-- CreateIndex
CREATE INDEX "users_parent_user_id_id_idx" ON "users"("parent_user_id", "id");

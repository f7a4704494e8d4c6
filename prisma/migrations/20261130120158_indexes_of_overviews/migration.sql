-- DropIndex
DROP INDEX "site_licences_user_id_status_idx";

-- CreateIndex
CREATE INDEX "accounting_documents_state_deadline_at_idx" ON "accounting_documents"("state", "deadline_at");

-- CreateIndex
CREATE INDEX "site_licences_user_id_status_pay_by_id_idx" ON "site_licences"("user_id", "status", "pay_by", "id");

-- Suspended sites are few among many.
CREATE INDEX "sites_active_idx" ON "sites"("is_active", "id") WHERE "deleted_at" IS NULL;

-- Mails of a period are counted in this index, without reading the table.
CREATE INDEX "mail_messages_series" ON "mail_messages"("created_at") INCLUDE ("state");

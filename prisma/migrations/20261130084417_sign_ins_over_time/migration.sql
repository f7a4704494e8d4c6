-- CreateIndex
CREATE INDEX "audit_events_actor_id_action_at_idx" ON "audit_events"("actor_id", "action", "at");

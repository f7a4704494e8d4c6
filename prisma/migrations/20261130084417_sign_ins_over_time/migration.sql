-- Partial: other entries must not become slower to write.
CREATE INDEX "audit_events_sign_ins" ON "audit_events"("actor_id", "at") INCLUDE ("action")
  WHERE "action" IN ('sign_in.succeeded', 'sign_in.failed', 'sign_in.refused');

-- Sign-ins are looked up among all that an account has done, which may be hundreds of thousands of entries.
CREATE INDEX "audit_events_sign_ins_idx" ON "audit_events"("actor_id", "id")
  WHERE "action" IN ('sign_in.succeeded', 'sign_in.failed', 'sign_in.refused', 'account.registered');

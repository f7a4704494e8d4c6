-- CreateTable
CREATE TABLE "audit_stubs" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "seal_id" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "kept" INTEGER NOT NULL,
    "digest" BYTEA NOT NULL,
    "mac" BYTEA NOT NULL,

    CONSTRAINT "audit_stubs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_events_at_idx" ON "audit_events"("at");

-- What the log is searched by; most entries have no second one, and some no first.
CREATE INDEX "audit_events_ip_idx" ON "audit_events"("ip", "id") WHERE "ip" IS NOT NULL;
CREATE INDEX "audit_events_behalf_idx" ON "audit_events"("on_behalf_of", "id") WHERE "on_behalf_of" IS NOT NULL;
CREATE INDEX "audit_events_request_idx" ON "audit_events"("request_id") WHERE "request_id" IS NOT NULL;

-- As before, but entries go where the stub has taken the place of their seal, and never before they are 90 days old.
CREATE OR REPLACE FUNCTION audit_events_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF old.at < now() - interval '90 days' AND old.seal_id <= (SELECT seal_id FROM audit_stubs) THEN
      RETURN old;
    END IF;
    RAISE EXCEPTION 'entries of the audit log are not deleted';
  END IF;
  IF new.seal_id IS NOT DISTINCT FROM old.seal_id AND new.details IS NULL THEN
    new.before := NULL;
    new.after := NULL;
  END IF;
  IF (new.id, new.at, new.actor_kind, new.actor_id, new.on_behalf_of, new.action, new.object_type, new.object_id, new.request_id)
     IS DISTINCT FROM
     (old.id, old.at, old.actor_kind, old.actor_id, old.on_behalf_of, old.action, old.object_type, old.object_id, old.request_id)
     OR (old.seal_id IS NOT NULL AND (new.seal_id, new.content_hash, new.row_hash) IS DISTINCT FROM
                                     (old.seal_id, old.content_hash, old.row_hash))
     OR (new.details IS DISTINCT FROM old.details AND new.details IS NOT NULL)
     OR (new.before IS DISTINCT FROM old.before AND new.before IS NOT NULL)
     OR (new.after IS DISTINCT FROM old.after AND new.after IS NOT NULL)
     OR (new.ip IS DISTINCT FROM old.ip AND new.ip IS NOT NULL)
     OR (new.user_agent IS DISTINCT FROM old.user_agent AND new.user_agent IS NOT NULL) THEN
    RAISE EXCEPTION 'entries of the audit log are not changed';
  END IF;
  RETURN new;
END $$;

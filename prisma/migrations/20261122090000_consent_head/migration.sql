-- CreateTable
CREATE TABLE "consent_heads" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "count" INTEGER NOT NULL,
    "last_id" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "mac" BYTEA NOT NULL,

    CONSTRAINT "consent_heads_pkey" PRIMARY KEY ("id")
);

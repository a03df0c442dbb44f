# gum: build and proof. Needs GNU make, node and npm; everything else comes from package-lock.json.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

BUN := node_modules/bun/bin/bun.exe
BIOME := node_modules/.bin/biome
TSC := node_modules/.bin/tsc
READY := node_modules/.gum-ready

# What the binary is made of: the source without the tools, and the texts that are embedded.
SOURCES := $(shell find src -name dev -prune -o -name '*.ts' -print) \
  $(wildcard pipelines/*.yaml docs/*.md) $(shell find schemas -name '*.json') package.json

# Why each flag is there: CONTRIBUTING.md, "The build".
COMPILE := build --compile --production --minify --bytecode --format=esm --splitting --sourcemap \
  --no-compile-autoload-dotenv --no-compile-autoload-bunfig --compile-autoload-package-json

.PHONY: help build test test-slow test-user test-deno mutants check conformance generate demo bench soak clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

build: dist/gum ## bootstrap Bun, install from the lock, compile dist/gum

test: dist/gum ## the test suite (test/), against the compiled dist/gum
	@sh src/dev/test-packages.sh
	$(BUN) src/dev/suite.ts test test

test-slow: dist/gum ## longer proofs: test-slow/ with the mutants, then test/ as an unprivileged user
	@status=0; $(BUN) src/dev/suite.ts test-slow test-slow || status=1; \
	$(MAKE) --no-print-directory test-user || status=1; exit $$status

test-user: dist/gum ## the test suite once more as an unprivileged user (when run by root)
	sh src/dev/test-user.sh

test-deno: dist/gum ## the source under Deno answers as dist/gum does (part of `make test`)
	$(BUN) src/dev/suite.ts test-deno test/deno

mutants: dist/gum ## each test/mutants/*.patch breaks a rule, and that rule's test must go red (part of `make test-slow`)
	$(BUN) src/dev/suite.ts mutants test-slow/mutants

check: $(READY) ## format, lint, types, generated files current, nothing of this machine in the tree
	$(BIOME) ci --error-on-warnings
	$(TSC) -p .
	$(BUN) src/dev/schemas.ts --check
	$(BUN) src/dev/pack-pipelines.ts --check
	$(BUN) src/dev/docs.ts --check
	$(BUN) src/dev/hygiene.ts

conformance: test ## the table rule → tests → result
	$(BUN) src/dev/conformance.ts

generate: $(READY) ## write the generated files again: schemas/, parsed pipelines, generated blocks of docs/
	$(BUN) src/dev/schemas.ts
	$(BUN) src/dev/pack-pipelines.ts
	$(BUN) src/dev/docs.ts

demo: dist/gum ## one plugin from folder to answered call, in a scratch profile
	sh examples/demo.sh

bench: dist/gum ## measure what is promised (dist/bench.json); fails where a reach is missed
	GUM_COMPILE='$(COMPILE)' $(BUN) src/dev/bench.ts

soak: dist/gum ## call a server with good and bad plugins for SOAK_SECONDS (300); leaves dist/soak.json
	$(BUN) src/dev/soak.ts

clean: ## remove what was built; packages stay
	rm -rf dist

# npm ci removes node_modules first, so the stamp inside it cannot outlive what it stands for.
$(READY): package-lock.json package.json src/dev/bootstrap.mjs
	node src/dev/bootstrap.mjs

# Compiled beside and moved into place, so that a running dist/gum is never written to.
dist/gum: $(READY) $(SOURCES) Makefile
	@set -e; new=dist/new.$$$$; mkdir -p $$new; trap 'rm -rf "$$new"' EXIT; \
	$(BUN) $(COMPILE) src/main.ts --outfile $$new/gum && mv -f $$new/gum dist/gum

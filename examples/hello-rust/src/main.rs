//! A plugin with one tool on the official Rust SDK.
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock};
use rmcp::{schemars, tool, tool_router, transport::stdio, ServiceExt};
use serde_json::json;

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct Input {
    /// Whom to greet
    name: String,
}

#[derive(Clone)]
struct Hello;

#[tool_router(server_handler)]
impl Hello {
    #[tool(
        name = "hello",
        description = "Return a greeting for the given name",
        annotations(read_only_hint = true)
    )]
    fn hello(&self, Parameters(Input { name }): Parameters<Input>) -> CallToolResult {
        if name.trim().is_empty() {
            let body = json!({"success": false, "error_code": "INVALID_INPUT", "error": "name is empty", "retryable": false});
            return CallToolResult::error(vec![ContentBlock::text(body.to_string())]);
        }
        let body = json!({"success": true, "data": {"greeting": format!("Hello, {name}!")}});
        CallToolResult::success(vec![ContentBlock::text(body.to_string())])
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Hello.serve(stdio()).await?.waiting().await?;
    Ok(())
}

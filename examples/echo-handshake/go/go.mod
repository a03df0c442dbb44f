module example.com/echo-handshake

go 1.21
